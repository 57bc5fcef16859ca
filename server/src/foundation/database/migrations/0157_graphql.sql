-- The module accounts counts requests now, in a table of its own. Windows last ten seconds, so that
-- nothing of them is taken over.
drop table graphql_window;
