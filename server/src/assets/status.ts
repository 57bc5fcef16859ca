import type { Level, LevelName } from './types.ts'

const names: readonly LevelName[] = ['normal', 'info', 'warning', 'critical', 'error']

export function levelName(level: Level): LevelName {
  return names[level] ?? 'error'
}

/** True if a number is a status level. */
export function isLevel(value: unknown): value is Level {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) < names.length
}
