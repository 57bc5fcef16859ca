-- What the cloud set, by position: a process that looks for what others committed reads only that.
create index eventlog_entry_set on eventlog_entry (part, seq) where kind = 'set';
