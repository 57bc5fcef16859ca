-- How long a call of one link's function may take, in milliseconds; null: as long as the instance
-- lets any call take.
alter table pipelines_link add column timeout_ms integer;
