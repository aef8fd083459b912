/** One step of a job: waits for a place at a station and holds it, keeps one busy for a time, or gives one back. */
export type Step =
  | { kind: "hold"; station: string }
  | { kind: "use"; station: string; ms: number }
  | { kind: "free"; station: string };

/** Where jobs wait in the order in which they came. */
interface Station {
  readonly places: number;
  taken: number;
  /** Integral of the places that were taken, in milliseconds. */
  busyMs: number;
  changedAt: number;
  readonly waiting: Job[];
  /** Of `waiting`, those before it have gone. */
  first: number;
}

interface Job {
  readonly steps: readonly Step[];
  next: number;
  readonly done: (at: number) => void;
}

interface Event {
  at: number;
  /** Events of one time happen in the order in which they were made. */
  order: number;
  run: () => void;
}

/** Stations with queues, and jobs that go from one to the next: a simulation of discrete events. */
export class Stations {
  readonly #stations = new Map<string, Station>();
  readonly #events: Event[] = [];
  #now = 0;
  #order = 0;

  /** @param places of each station, by its name. */
  constructor(places: Readonly<Record<string, number>>) {
    for (const [name, count] of Object.entries(places)) {
      this.#stations.set(name, { places: count, taken: 0, busyMs: 0, changedAt: 0, waiting: [], first: 0 });
    }
  }

  /** Milliseconds since the beginning. */
  get now(): number {
    return this.#now;
  }

  /** Calls at a time, which is not past. */
  at(time: number, run: () => void): void {
    pushEvent(this.#events, { at: time, order: this.#order++, run });
  }

  /** Begins a job now. @param done is told when it has ended. */
  start(steps: readonly Step[], done: (at: number) => void): void {
    this.#goOn({ steps, next: 0, done });
  }

  /** Lets everything happen that is due until a time. */
  run(until: number): void {
    for (;;) {
      const [event] = this.#events;
      if (event === undefined || event.at > until) break;
      popEvent(this.#events);
      this.#now = event.at;
      event.run();
    }
    this.#now = until;
  }

  /** The share of a station's places that was taken so far, on average. */
  load(name: string): number {
    const station = this.#station(name);
    this.#count(station);
    return this.#now === 0 ? 0 : station.busyMs / (station.places * this.#now);
  }

  /** Jobs that wait for a station. */
  waiting(name: string): number {
    const { waiting, first } = this.#station(name);
    return waiting.length - first;
  }

  #goOn(job: Job): void {
    for (;;) {
      const step = job.steps[job.next];
      if (step === undefined) {
        job.done(this.#now);
        return;
      }
      if (step.kind === "free") {
        job.next++;
        this.#free(this.#station(step.station));
        continue;
      }
      const station = this.#station(step.station);
      if (station.taken === station.places) {
        station.waiting.push(job);
        return;
      }
      this.#take(station);
      if (!this.#begin(job, step, station)) return;
    }
  }

  /** With a place that is taken already. @returns whether the job can go on at once. */
  #begin(job: Job, step: Step, station: Station): boolean {
    job.next++;
    if (step.kind !== "use") return true;
    this.at(this.#now + step.ms, () => {
      this.#free(station);
      this.#goOn(job);
    });
    return false;
  }

  #take(station: Station): void {
    this.#count(station);
    station.taken++;
  }

  #free(station: Station): void {
    this.#count(station);
    station.taken--;
    const job = station.waiting[station.first];
    if (job === undefined) return;
    station.first++;
    if (station.first > 1_000 && station.first * 2 > station.waiting.length) {
      station.waiting.splice(0, station.first);
      station.first = 0;
    }
    this.#take(station);
    const step = job.steps[job.next];
    if (step !== undefined && this.#begin(job, step, station)) this.#goOn(job);
  }

  #count(station: Station): void {
    station.busyMs += station.taken * (this.#now - station.changedAt);
    station.changedAt = this.#now;
  }

  #station(name: string): Station {
    const station = this.#stations.get(name);
    if (station === undefined) throw new RangeError(`There is no station "${name}".`);
    return station;
  }
}

function isBefore(one: Event, other: Event): boolean {
  return one.at < other.at || (one.at === other.at && one.order < other.order);
}

/** A binary heap whose first event is the next one. */
function pushEvent(heap: Event[], event: Event): void {
  let place = heap.length;
  heap.push(event);
  while (place > 0) {
    const parent = (place - 1) >> 1;
    const above = heap[parent] as Event;
    if (!isBefore(event, above)) break;
    heap[place] = above;
    place = parent;
  }
  heap[place] = event;
}

function popEvent(heap: Event[]): void {
  const last = heap.pop();
  if (last === undefined || heap.length === 0) return;
  let place = 0;
  for (;;) {
    let child = 2 * place + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && isBefore(heap[child + 1] as Event, heap[child] as Event)) child++;
    const below = heap[child] as Event;
    if (!isBefore(below, last)) break;
    heap[place] = below;
    place = child;
  }
  heap[place] = last;
}
