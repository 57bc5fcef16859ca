-- Secrets of a module that were sealed without an origin were given for where the module was then.
alter table marketplace_use add column secrets_base text;

update marketplace_use u set secrets_base = l.base
from marketplace_listing l where l.id = u.listing_id and u.parameters <> '';
