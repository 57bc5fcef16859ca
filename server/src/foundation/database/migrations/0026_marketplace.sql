-- The parts of a definition that calls need, as they were read when it was published.
alter table marketplace_listing
  add column given_base text,                         -- beside the file; null if its host is right
  add column parameters text not null default '[]',   -- JSON: declarations
  add column security text not null default '[]',     -- JSON: how calls are authenticated
  add column problems text not null default '[]';     -- JSON: what breaks the rules
