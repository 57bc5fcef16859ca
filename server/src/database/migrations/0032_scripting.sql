-- Of a call that failed: where it was in the scripts, the innermost place first, a line for each.
alter table scripting_line add column trace text;
