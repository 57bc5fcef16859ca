-- What failed for good, for a list of all tenants of a business.
create index jobs_job_dead_of_business on jobs_job (queue, business_id, updated_at, id)
  where state = 'dead';
