-- Values over time that solutions keep. A series is a metric with its tags.
create table tsdb_series (
  id bigint generated always as identity primary key,
  solution_id text not null,
  metric text not null,
  -- an object of texts
  tags jsonb not null,
  unique (solution_id, metric, tags)
);

create table tsdb_point (
  series_id bigint not null,
  -- microseconds
  ts bigint not null,
  -- a number; anything else is JSON text
  number double precision,
  body text,
  primary key (series_id, ts)
);

create index tsdb_point_ts on tsdb_point (ts);
