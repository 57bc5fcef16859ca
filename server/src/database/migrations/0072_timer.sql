-- When a timer was set, by the clock of then: one that was set in the future is set anew.
alter table timer_timer add column put_at bigint not null default 0;

create index timer_timer_put on timer_timer (put_at);
