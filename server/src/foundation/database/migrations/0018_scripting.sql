-- A solution that is too slow for the events of its connectors has a cursor of its own in each
-- partition in which it is behind: the events wait in the log. It goes when it reaches the end.
create table scripting_cursor (
  part smallint not null,
  solution_id text not null,
  business_id text not null,
  position bigint not null,        -- the last entry of which nothing is left to do
  until bigint not null,           -- from the entry after this one on the solution is not behind
  skipped text not null,           -- JSON: events beyond the position that were handled already
  primary key (part, solution_id)
) with (fillfactor = 50);

create index scripting_cursor_solution on scripting_cursor (solution_id);
