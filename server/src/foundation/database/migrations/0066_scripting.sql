-- What `os.getenv` gives to the scripts of a solution, and whether its `init` handler was called.
alter table scripting_solution
  add column environment text,               -- sealed JSON {name: value}; null: nothing is set
  add column is_initialised boolean not null default false;
