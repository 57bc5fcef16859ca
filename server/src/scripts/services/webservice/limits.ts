/** Limits of `services/webservice` that no operator sets. */
export const webserviceLimits = {
  /**
   * A body of JSON that is parsed on the main thread. A longer one is parsed in the solution's
   * worker and costs CPU of its script; invalid JSON is refused with 400 all the same.
   */
  endpointJsonBytesMax: 16 * 1024,
  /** Fields in the query of such a request, and in a form as its body. */
  endpointFieldsMax: 1_000,
  /** Keys of one solution's endpoints. */
  endpointKeysMax: 100,
  /** The shortest such key. Only its hash is stored, so it must be hard to guess. */
  endpointKeyCharsMin: 20,
  /** The longest such key. */
  endpointKeyCharsMax: 512,
  /** Origins, methods or headers that the endpoints of a solution allow across origins. */
  endpointCorsItemsMax: 100,
  /** The time for which a browser may cache the answer to a preflight request. */
  endpointCorsSeconds: 600,
  /** Of these, those of one solution. Past it an upgrade is 429 `too_many_requests`. */
  socketsOfSolutionMax: 1_000,
  /** One message of a websocket's client. A larger one closes the socket with 1009. */
  socketMessageBytesMax: 128 * 1024,
  /**
   * Fragments of such a message, and pieces in which the network may bring it. Past it the socket
   * is closed with 1008.
   */
  socketFragmentsMax: 1_000,
  /**
   * Messages of one websocket that wait for the script. Past it nothing more is read from the
   * client.
   */
  socketWaitingMax: 64,
  /**
   * Messages of one websocket that may come with those that were read already. Past it the socket
   * is closed with 1008.
   */
  socketFloodMax: 1_000,
  /**
   * Bytes that a websocket's client leaves unread. A client to which more is sent is closed with
   * 1008.
   */
  socketUnreadBytesMax: 1024 * 1024,
  /**
   * Bytes that the clients of one solution together leave unread. Past it nothing more is sent to
   * any of them: a script receives 503, and a script's result closes its socket with 1013.
   */
  socketsUnreadOfSolutionBytesMax: 32 * 1024 * 1024,
  /** The same of all solutions in a process. */
  socketsUnreadBytesMax: 128 * 1024 * 1024,
  /** Silence of a websocket's client after which it receives a ping. */
  socketPingMs: 30_000,
  /** The time for the answer to a ping. A client without an answer is cut. */
  socketPongMsMax: 30_000,
  /** The time after which the credential of a websocket is checked again. */
  socketCredentialMs: 30_000,
  /**
   * The interval at which a process with websockets renews its lease in the database. All processes
   * of an instance must agree on it.
   */
  socketLeaseRenewMs: 5_000,
  /** The time for a client's answer to a close before its connection is cut. */
  socketCloseMs: 5_000,
  /** The bytes of all static files of one solution; past it 413 `too_large`. */
  solutionStaticBytesMax: 128 * 1024 * 1024,
  /** Static files of one solution; past it 413 `too_large`. */
  solutionStaticFilesMax: 2_000,
}
