-- A delivery that failed follows its binding, as one that waits does: it may be sent again.
drop index notification_job_binding;
create index notification_job_binding on notification_job (solution_id, binding_sid)
  where state in ('queued', 'failed');
