-- What failed for good, for a list of those of one key: of an asset, with those of its actions.
create index jobs_job_dead_of_key
  on jobs_job (queue, tenant, split_part(key, '/', 1), updated_at, id)
  where state = 'dead';
