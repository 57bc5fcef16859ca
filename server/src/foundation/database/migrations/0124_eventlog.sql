-- beside: yes
-- What is open at one stage, for counts that read no more than they may.
create index eventlog_failure_open_stage on eventlog_failure (business_id, consumer, at)
  where settled_at is null;
