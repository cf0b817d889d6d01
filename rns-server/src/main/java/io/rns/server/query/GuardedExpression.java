package io.rns.server.query;

import net.sf.saxon.expr.AxisExpression;
import net.sf.saxon.expr.ContextItemExpression;
import net.sf.saxon.expr.Expression;
import net.sf.saxon.expr.Literal;
import net.sf.saxon.expr.RootExpression;
import net.sf.saxon.expr.SimpleStepExpression;

import net.sf.saxon.expr.VariableReference;
import net.sf.saxon.expr.XPathContext;
import net.sf.saxon.expr.elab.BooleanEvaluator;
import net.sf.saxon.expr.elab.Elaborator;
import net.sf.saxon.expr.elab.ItemEvaluator;
import net.sf.saxon.expr.elab.PullEvaluator;
import net.sf.saxon.expr.elab.PushEvaluator;
import net.sf.saxon.expr.elab.StringEvaluator;
import net.sf.saxon.expr.elab.UnicodeStringEvaluator;
import net.sf.saxon.expr.flwor.TupleExpression;
import net.sf.saxon.expr.instruct.TraceExpression;
import net.sf.saxon.expr.sort.SortKeyDefinition;
import net.sf.saxon.expr.sort.SortKeyDefinitionList;
import net.sf.saxon.om.Item;
import net.sf.saxon.om.SequenceIterator;
import net.sf.saxon.trace.TraceCodeInjector;

/**
 * An expression that asks the {@link Guard} before and behind its evaluation, as any traced one does, and also while
 * its items are taken: an evaluation is lazy, and most of the work may be in taking them.
 */
final class GuardedExpression extends TraceExpression {
  /** How many items are taken between two questions. */
  private static final int ITEMS = 16;

  private GuardedExpression(Expression expression) {
    super(expression);
  }

  /** Puts a guard around all expressions of a compiled query that do some work. */
  static final class Injector extends TraceCodeInjector {
    @Override
    public Expression inject(Expression expression) {
      return isApplicable(expression) ? new GuardedExpression(expression) : expression;
    }

    /** Not what only refers to a value, and not where the compiled query needs an expression of that very class. */
    @Override
    protected boolean isApplicable(Expression expression) {
      boolean refers =
          expression instanceof Literal
              || expression instanceof VariableReference
              || expression instanceof ContextItemExpression
              || expression instanceof RootExpression;
      boolean isPart =
          expression instanceof TupleExpression
              || expression instanceof SortKeyDefinition
              || expression instanceof SortKeyDefinitionList
              || (expression instanceof AxisExpression
                  && expression.getParentExpression() instanceof SimpleStepExpression);
      return !refers && !isPart;
    }
  }

  @Override
  public Elaborator getElaborator() {
    Elaborator traced = super.getElaborator();
    traced.setExpression(this);
    return new Guarded(traced);
  }

  private static final class Guarded extends Elaborator {
    private final Elaborator traced;

    Guarded(Elaborator traced) {
      this.traced = traced;
    }

    @Override
    public PullEvaluator elaborateForPull() {
      PullEvaluator pull = traced.elaborateForPull();
      return context -> new GuardedIterator(pull.iterate(context), guard(context));
    }

    private static Guard guard(XPathContext context) {
      return (Guard) context.getController().getTraceListener();
    }

    @Override
    public PushEvaluator elaborateForPush() {
      return traced.elaborateForPush();
    }

    @Override
    public ItemEvaluator elaborateForItem() {
      return traced.elaborateForItem();
    }

    @Override
    public BooleanEvaluator elaborateForBoolean() {
      return traced.elaborateForBoolean();
    }

    @Override
    public UnicodeStringEvaluator elaborateForUnicodeString(boolean zeroLengthWhenAbsent) {
      return traced.elaborateForUnicodeString(zeroLengthWhenAbsent);
    }

    @Override
    public StringEvaluator elaborateForString(boolean zeroLengthWhenAbsent) {
      return traced.elaborateForString(zeroLengthWhenAbsent);
    }
  }

  private static final class GuardedIterator implements SequenceIterator {
    private final SequenceIterator items;
    private final Guard guard;
    private int taken;

    GuardedIterator(SequenceIterator items, Guard guard) {
      this.items = items;
      this.guard = guard;
    }

    @Override
    public Item next() {
      if (++taken % ITEMS == 0) {
        guard.check();
      }
      return items.next();
    }

    @Override
    public void close() {
      items.close();
    }
  }
}
