-- Values over time that solutions store. A series is a metric with its tags.
create table tsdb_series (
  id bigint generated always as identity primary key,
  solution_id text not null,
  metric text not null,
  tags jsonb not null,             -- an object of texts
  unique (solution_id, metric, tags)
);

create table tsdb_point (
  series_id bigint not null,
  ts bigint not null,              -- microseconds
  number double precision,
  body text,                       -- JSON, of anything else than a number
  primary key (series_id, ts)
);

create index tsdb_point_ts on tsdb_point (ts);
