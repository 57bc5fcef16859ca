-- A job at Ttl 0 is tried once, soon after it was queued, or not at all.
alter table notification_job add column once boolean not null default false;
update notification_job j set once = true
from notification_notification n
where n.solution_id = j.solution_id and n.sid = j.notification_sid and j.state = 'queued'
  and j.channel in ('apn', 'fcm', 'gcm') and (n.message::jsonb ->> 'ttlS')::bigint = 0;

create index notification_job_once on notification_job (solution_id, channel)
  where state = 'queued' and once;
-- What waits for a binding, which may be deleted or registered again.
create index notification_job_binding on notification_job (solution_id, binding_sid)
  where state = 'queued';
