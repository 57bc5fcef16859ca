-- CPU of calls and its limit are milliseconds of thread time; ticks were a measure of their own.
alter table scripting_line add column cpu_us bigint;  -- ticks: of lines from before, shown no more

update scripting_solution
  set limits = (limits - 'ticksPerCallMax') || jsonb_build_object('cpuMsMax',
    greatest(1, ceil((limits->>'ticksPerCallMax')::numeric * 0.06)))
  where limits ? 'ticksPerCallMax';
