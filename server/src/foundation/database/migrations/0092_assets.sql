-- How long its values are kept; null: as its connector, its business or the instance has it.
alter table assets_signal add column retention_hours bigint;
create index assets_signal_retention on assets_signal (key) where retention_hours is not null;
