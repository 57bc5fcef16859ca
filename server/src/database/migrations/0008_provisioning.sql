-- Whose window closes next: those that wait for an activation and have a deadline.
create index provisioning_identity_window
  on provisioning_identity (connector_id, activate_until, identity)
  where activate_until is not null and (provisioned_at is null or reprovision);
