import { readFile } from 'node:fs/promises'

/** One hour as it was measured in Seattle: degrees Celsius, hectopascals, metres a second. */
export type Hour = {
  readonly temperature: number
  readonly pressure: number
  readonly wind: number
}

const file = 'seattle-weather-hourly-normals.csv'

/** The hourly measurements of one year that the npm package `vega-datasets` ships. */
export async function readMeasurements(): Promise<Hour[]> {
  const folder = new URL('../data/', import.meta.resolve('vega-datasets'))
  const text = await readFile(new URL(file, folder), 'utf8')
  const [header = '', ...lines] = text.trim().split('\n')
  const columns = header.split(',')
  const at = (name: string) => {
    const index = columns.indexOf(name)
    if (index < 0) throw new Error(`${file} has no column ${name}`)
    return index
  }
  const [temperature, pressure, wind] = [at('temperature'), at('pressure'), at('wind')]
  return lines.map((line) => {
    const cells = line.split(',').map(Number)
    return {
      temperature: cells[temperature] ?? 0,
      pressure: cells[pressure] ?? 0,
      wind: cells[wind] ?? 0,
    }
  })
}
