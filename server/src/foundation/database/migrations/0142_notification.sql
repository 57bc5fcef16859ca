-- When something was last sent to the address of a binding; null: not yet, or not known.
alter table notification_binding add column sent_at bigint;

-- The bindings of a solution, whichever their service, newest first.
create index notification_binding_newest on notification_binding (solution_id, number);
-- One index of identities for both: of a service, and of all services of a solution.
drop index notification_binding_identity;
create index notification_binding_identity
  on notification_binding (solution_id, identity, service_sid, number);
