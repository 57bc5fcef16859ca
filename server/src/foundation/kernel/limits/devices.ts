import { type LimitDefinition, settable } from './kinds.ts'

const kib = 1024
const mib = 1024 * kib
const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** Requests, connections and certificates of devices. */
export const deviceLimits = {
  /** The body of one device request. */
  deviceBodyBytesMax: settable(2 * mib, 64 * kib, 64 * mib),
  /** One value of a resource, as UTF-8. */
  resourceValueBytesMax: settable(mib, kib, 7 * mib),
  /** The request line and headers of any request. */
  headerBytesMax: settable(16 * kib, 8 * kib, 64 * kib),
  /** The time in which a device must have sent one request. */
  deviceRequestMsMax: settable(30_000, 1_000, 10 * minuteMs),
  /**
   * The time for which an idle connection is kept. Long, because a new TLS connection costs 1 ms of
   * CPU.
   */
  deviceIdleMsMax: settable(10 * minuteMs, 10_000, 24 * hourMs),
  /** The longest time of a long poll; more is clamped, not refused. */
  longPollMsMax: settable(5 * minuteMs, 1_000, 5 * minuteMs),
  /** The time in which a trusted proxy must have sent its header of the PROXY protocol. */
  proxyHeaderMsMax: settable(5_000, 100, minuteMs),
  /** Days before the end of a server certificate from which the log warns of it, once a day. */
  certificateWarnDays: settable(21, 1, 365),
  /**
   * The part in percent of what may be open at once in a process that one business may have: of
   * `logStreamsMax`, `changeStreamsMax`, `graphqlSubscriptionsMax`, `socketsMax`, `longPollsMax`
   * and `mqttClientsMax`. An instance of one business sets 100.
   */
  openOfBusinessPercent: settable(80, 1, 100),
  /** Long polls open at once in a process. */
  longPollsMax: settable(20_000, 1, 1_000_000),
  /** MQTT connections open at once in a process. Past it a new one is closed at once. */
  mqttClientsMax: settable(20_000, 1, 1_000_000),
  /**
   * An MQTT PUBLISH: its payload and its topic. A value in it has `resourceValueBytesMax`, a batch
   * `deviceBodyBytesMax`.
   */
  mqttPublishBytesMax: settable(2 * mib + 64 * kib, 64 * kib, 65 * mib),
  /** One content for devices, such as a firmware image. */
  contentBytesMax: settable(512 * mib, mib, 16 * 1024 * mib),
  /** Downloads of devices at once in a process; past it a device receives 503. */
  downloadsMax: settable(500, 1, 100_000),
  /** A CSV file of identities. */
  csvBytesMax: settable(1024 * mib, mib, 64 * 1024 * mib),
} as const satisfies Readonly<Record<string, LimitDefinition>>
