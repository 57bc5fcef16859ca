-- Reports of signals over a period. A report is made by a job; its content is kept with it until
-- the end of its time.
create table reports_report (
  business_id text not null,
  id text not null,
  number bigint generated always as identity,   -- the order of lists
  made_by text not null,                        -- the principal's subject
  groups text,                                  -- JSON, those that it sees; null: all
  query text not null,                          -- JSON, as it was asked
  format text not null,
  state text not null,                          -- waiting, completed or failed
  reason text,                                  -- why it failed
  filename text not null,
  rows bigint not null default 0,
  bytes bigint not null default 0,
  data bytea,
  created_at bigint not null,
  updated_at bigint not null,
  expires_at bigint not null,
  primary key (business_id, id)
);

create index reports_report_list on reports_report (business_id, number);
create index reports_report_end on reports_report (expires_at);
