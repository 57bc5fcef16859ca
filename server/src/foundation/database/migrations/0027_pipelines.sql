-- What a built-in function keeps between its calls, one row for each link that has been run. It is
-- written in the transaction that moves the cursor of the consumer `functions`, or settles the job.
create table pipelines_state (
  business_id text not null,
  link_id text not null,
  state text,                                   -- JSON; null: its first call has not been stored
  primary key (business_id, link_id),
  foreign key (business_id, link_id) references pipelines_link (business_id, id) on delete cascade
) with (fillfactor = 50);
