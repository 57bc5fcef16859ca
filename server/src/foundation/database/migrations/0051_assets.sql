-- How a signal is shown, and what its device's channel says of it: JSON, an object.
alter table assets_signal add column display text not null default '{}';
