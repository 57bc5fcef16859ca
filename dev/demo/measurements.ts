import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** An hour of Seattle's weather: degrees Celsius, hectopascals, metres a second. */
export type Hour = {
  readonly temperature: number
  readonly pressure: number
  readonly wind: number
}

const file = join(import.meta.dirname, 'seattle-weather.csv')

/**
 * A year of hours: the normals of NOAA's climate data, which are in the public domain. The columns
 * are those of an hour.
 */
export async function readMeasurements(): Promise<Hour[]> {
  const text = await readFile(file, 'utf8')
  const [, ...lines] = text.trim().split('\n')
  return lines.map((line) => {
    const [temperature = 0, pressure = 0, wind = 0] = line.split(',').map(Number)
    return { temperature, pressure, wind }
  })
}
