-- Recipients of mails of each solution, in the minute and in the day that count now.
create table email_rate (
  solution_id text not null,
  period text not null,
  since bigint not null,                     -- microseconds
  count bigint not null,
  primary key (solution_id, period)
);
