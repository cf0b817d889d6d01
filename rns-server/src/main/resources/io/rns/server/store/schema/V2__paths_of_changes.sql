-- From here on a change tells its path. What was logged without is forgotten: whoever watches begins anew.
DELETE FROM change_log;
