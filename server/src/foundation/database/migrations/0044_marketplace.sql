-- A module that a business has marked safe: simulations call it, in place of what was recorded.
alter table marketplace_use add column simulation_safe boolean not null default false;
