-- The leases of partitions are those of all consumers of the log: eventlog_lease.
drop table scripting_partition_lease;
