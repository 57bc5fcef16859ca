-- The moment at which it is looked whether a signal with a timeout is silent; writers of
-- `timeout_ms` set it to 0. `silent_from` is the time of the last value of a recorded silence.
alter table assets_signal
  add column look_at bigint,
  add column silent_from bigint;

update assets_signal set look_at = 0 where timeout_ms is not null;

create index assets_signal_look on assets_signal (look_at) where look_at is not null;
create index assets_signal_silent on assets_signal (key) where silent_from is not null;

-- A silence has no rule.
alter table assets_event alter column rule_id drop not null;
