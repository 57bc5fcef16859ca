/** Limits of `device-api` that no operator sets. */
export const deviceApiLimits = {
  /**
   * The body of an activation: the longest identity and password, each byte percent-encoded. A
   * larger one is answered 413 before it is read.
   */
  activationBodyBytesMax: 8 * 1024,
  /** Aliases in one write, read or record. */
  aliasesPerRequestMax: 1000,
  /** Points in one record call. */
  pointsPerRecordMax: 10_000,
  /** MQTT connections of one device. Past it the oldest is closed. */
  mqttClientsPerDeviceMax: 10,
  /** The time for which an anonymous MQTT connection is kept: long enough to activate. */
  mqttAnonymousMsMax: 60_000,
  /** An MQTT packet other than PUBLISH. The connection is closed before the rest of it is read. */
  mqttControlBytesMax: 64 * 1024,
  /**
   * Topics of one MQTT SUBSCRIBE or UNSUBSCRIBE. The connection of a client that names more is
   * closed.
   */
  mqttTopicsMax: 100,
  /**
   * MQTT packets that a process handles in one turn of its event loop; each topic of a SUBSCRIBE
   * counts as two. Packets that come with the CONNECT wait until it is answered.
   */
  mqttPacketsPerTurn: 128,
  /** Packets of one connection that are handled before those of other connections that wait. */
  mqttPacketsShare: 32,
  /**
   * Bytes of one MQTT client that wait for their commit. Past it nothing more is read from it until
   * they are durable. A single message may be larger.
   */
  mqttInFlightBytesMax: 256 * 1024,
  /** Topics to which one MQTT client is subscribed. More are refused in the SUBACK. */
  mqttSubscriptionsMax: 100,
  /** The time for which an MQTT client may leave data unread. Then it is closed. */
  mqttUnreadMsMax: 10_000,
  /** The shortest interval at which pings of one client cause a read of the values set for it. */
  mqttCatchUpMsMin: 5_000,
}
