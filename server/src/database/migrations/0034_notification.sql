-- A lane is one channel of one solution. The process that holds its lease sends all of its jobs, so
-- no job is marked when it is begun, and a pause or a rate holds for the whole lane.
create table notification_lane (
  solution_id text not null,
  channel text not null,
  owner text,
  leased_until bigint not null default 0,   -- microseconds, as all times
  paused_until bigint not null default 0,   -- nothing begins before
  pause_reason text,
  fault text,                               -- what the answers say of the configuration
  fault_at bigint,
  primary key (solution_id, channel)
);

drop index notification_job_open;
drop index notification_job_lease;
update notification_job set state = 'queued' where state = 'sending';
alter table notification_job drop column lease, drop column leased_until;

-- A job is found by its number: short keys are cheap to write, and each job is written twice.
alter table notification_job drop constraint notification_job_pkey;
alter table notification_job add primary key (number);
drop index notification_job_list;
create index notification_job_list on notification_job (notification_sid, number);

create index notification_job_open on notification_job (solution_id, channel, due_at, number)
  where state = 'queued';
