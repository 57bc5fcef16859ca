-- Deliveries that failed, for a list of several solutions.
create index notification_job_failed on notification_job (solution_id, updated_at)
  where state = 'failed';
