-- Timers of solutions. A row is gone, or moved to its next time, in the transaction that hands its
-- call to the deliveries.
create table timer_timer (
  solution_id text not null,
  timer_id text not null,
  business_id text not null,
  alias text not null,             -- the service's name in the solution's handlers
  message text not null,           -- JSON
  due_at bigint not null,          -- microseconds, as all times
  -- Either of both if it repeats.
  every_us bigint,
  schedule text,
  timezone text,
  -- When it was set, by the clock of then: one that was set in the future is set again.
  put_at bigint not null default 0,
  primary key (solution_id, timer_id)
);

create index timer_timer_due on timer_timer (due_at);
create index timer_timer_put on timer_timer (put_at);

-- The lock under which a solution's timers are counted.
create table timer_solution (
  solution_id text primary key
);
