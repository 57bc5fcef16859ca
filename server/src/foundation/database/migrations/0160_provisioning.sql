-- The settings of a connector are one document, by the names of their schema: a new setting has
-- its default where it is not stored.
alter table provisioning_connector add column settings jsonb;
update provisioning_connector set settings = jsonb_build_object(
  'name', name,
  'description', description,
  'protocolName', protocol_name,
  'authType', auth_type,
  'devmode', devmode,
  'enabled', enabled,
  'identityFormat', jsonb_build_object('prefix', identity_prefix, 'type', identity_type,
    'casing', identity_casing, 'length', identity_length),
  'selfRegistration', self_registration,
  'presenterIdentity', presenter_identity,
  'identitiesMax', identities_max,
  'registrationsPerMinute', registrations_per_minute,
  'ipRestriction', ip_restriction,
  'pki', pki,
  'reprovision', reprovision,
  'resources', resources);
alter table provisioning_connector
  alter column settings set not null,
  drop column name, drop column description, drop column protocol_name, drop column auth_type,
  drop column devmode, drop column enabled, drop column identity_prefix, drop column identity_type,
  drop column identity_casing, drop column identity_length, drop column self_registration,
  drop column presenter_identity, drop column identities_max,
  drop column registrations_per_minute, drop column ip_restriction, drop column pki,
  drop column reprovision, drop column resources;
