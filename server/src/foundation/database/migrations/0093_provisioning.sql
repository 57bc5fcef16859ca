-- How long the values of signals are kept that its devices feed; null: as the business has it.
alter table provisioning_connector add column retention_hours bigint;
