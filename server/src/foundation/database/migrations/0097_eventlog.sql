-- What a consumer could not deal with is settled once it was sent again, or discarded. The row
-- stays: the ledger compares the number of rows with what it counted.
alter table eventlog_failure add column settled_at bigint;

create index eventlog_failure_open on eventlog_failure (business_id, at) where settled_at is null;
