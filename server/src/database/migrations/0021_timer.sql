-- What solutions want to be told later. A row is gone, or moved to its next time, in the
-- transaction that hands its call to the deliveries.
create table timer_timer (
  solution_id text not null,
  timer_id text not null,
  business_id text not null,
  -- the service's name in the solution's handlers
  alias text not null,
  -- JSON text
  message text not null,
  -- microseconds
  due_at bigint not null,
  -- one of both where it repeats
  every_us bigint,
  schedule text,
  timezone text,
  primary key (solution_id, timer_id)
);

create index timer_timer_due on timer_timer (due_at);

-- The lock under which a solution's timers are counted.
create table timer_solution (
  solution_id text primary key
);
