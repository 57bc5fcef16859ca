-- Whether the cloud was the last to say what a resource is to be: the device has yet to hear of it,
-- or to say it back. It follows the log's order, so a value that is set again is pending again.
alter table provisioning_value add column pending boolean not null default false;

-- A stamp in the future that the value before had, from a clock that ran ahead; negative: that this
-- value had, before it was given another one. Null: none.
alter table provisioning_value add column ahead_at bigint;

update provisioning_value set pending = true
where set_value is not null and set_value is distinct from reported;
