-- How and when values came: the code of the device's protocol, and the time of reception in
-- microseconds. That is null if a value with a protocol was received at its own time; both are null
-- for what a function computed, and for what was stored before.
alter table assets_value
  add column received bigint,
  add column protocol smallint;

alter table assets_latest
  add column received bigint,
  add column protocol smallint;
