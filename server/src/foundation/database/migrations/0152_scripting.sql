-- Finds the exposed solutions that a business may use: its own, and those whose whitelist names it.
create index scripting_configuration_business on scripting_configuration (business_id)
  where service = 'interface' and not connector;
create index scripting_configuration_whitelist on scripting_configuration
  using gin ((parameters -> 'whitelist')) where service = 'interface' and not connector;
