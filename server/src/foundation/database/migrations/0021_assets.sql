-- A status belongs to a category, and names the signal that is judged.
alter table assets_status
  add column signal_id text,
  add column category text not null default 'default';

alter table assets_event
  add column signal_id text,
  add column category text not null default 'default';

-- Actions hang on signals that hold the statuses of rules.
update assets_signal set data_type = 'STATUS'
from pipelines_link l
where l.business_id = assets_signal.business_id and l.id = assets_signal.link_id
  and assets_signal.outlet = 0 and l.insight::jsonb ->> 'type' = 'rule';
