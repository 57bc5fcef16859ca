import type { NewConnector } from '../../server/src/devices/provisioning/index.ts'
import type { NewSignal } from '../../server/src/insight/assets/index.ts'
import type { NewLink } from '../../server/src/insight/pipelines/index.ts'

/**
 * The devices of the demo's fleet; each replays the same year from another morning on, so that its
 * day grows warm within the first seconds.
 */
export const fleet = [
  { identity: 'seattle-1', firstHour: 24 * 165 + 7 },
  { identity: 'seattle-2', firstHour: 24 * 195 + 7 },
  { identity: 'seattle-3', firstHour: 24 * 225 + 7 },
] as const

const minuteMs = 60_000

/** The description of the channels of `data_in`. */
export const configIo = {
  last_edited: '2026-11-21T00:00:00Z',
  channels: {
    '001': channel('Temperature', 'TEMPERATURE', 'DEG_CELSIUS'),
    '002': channel('Pressure', 'PRESSURE', 'MBAR'),
    '003': channel('Wind', 'VELOCITY', 'METER_PER_SEC'),
  },
}

function channel(name: string, dataType: string, dataUnit: string) {
  return {
    display_name: name,
    description: '',
    properties: {
      data_type: dataType,
      primitive_type: 'NUMERIC',
      data_unit: dataUnit,
      precision: 1,
    },
    protocol_config: { sample_rate: 1_000, report_rate: 1_000, timeout: minuteMs },
  }
}

/** Developer mode, so that a plain curl works; a new device brings its own identity. */
export const demoConnector: NewConnector = {
  name: 'Demo weather stations',
  description: 'Devices register themselves; each gets an asset of its own.',
  devmode: true,
  selfRegistration: true,
  // The simulated devices all come from this machine.
  registrationsPerMinute: 10_000,
  resources: {
    data_in: { format: 'string' },
    data_out: { format: 'string', settable: true },
    config_io: { format: 'string', settable: true, initial: JSON.stringify(configIo) },
    firmware: { format: 'string', unit: 'version' },
  },
}

/** The signals of a station, one a channel. */
export const stationSignals: readonly NewSignal[] = Object.entries(configIo.channels).map(
  ([id, { display_name: name, properties, protocol_config }]) => ({
    name,
    primitiveType: 'NUMERIC',
    dataType: properties.data_type,
    dataUnit: properties.data_unit,
    precision: properties.precision,
    timeoutMs: protocol_config.timeout,
    source: { alias: 'data_in', channel: id },
  }),
)

/** A function on a station's signal, by the signal's name. */
export type Plan = Omit<NewLink, 'assetId' | 'inlets'> & { readonly inlet: string }

/** The pipelines of a station: built-in functions for its temperature, a module for its wind. */
export function stationLinks(moduleId: string): readonly Plan[] {
  return [
    {
      moduleId: 'builtin',
      functionId: 'moving_average',
      name: 'Smooth temperature',
      constants: { window: 6 },
      inlet: 'Temperature',
    },
    {
      moduleId: 'builtin',
      functionId: 'threshold',
      name: 'Warm',
      constants: { direction: 'above', warning: 16, critical: 19 },
      inlet: 'Temperature',
    },
    {
      moduleId,
      functionId: 'rms',
      name: 'Effective wind',
      constants: { window: 6 },
      inlet: 'Wind',
    },
  ]
}
