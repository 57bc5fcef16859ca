-- How far the receipts of a job have come. One that says no more than was said changes nothing.
alter table notification_job add column receipt smallint not null default -1;
