-- What must hold of the values of a link before its function runs, and after.
alter table pipelines_link
  add column checks text not null default '[]'; -- JSON: a list of checks
