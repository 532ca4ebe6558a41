/** Random numbers from a seed: the same in every run and on every machine. */

const WORD = 2 ** 32;

export class Random {
  #a;
  #b;
  #c;
  #counter = 1;

  constructor(seed) {
    this.#a = 0;
    this.#b = 0;
    this.#c = seed >>> 0;
    for (let i = 0; i < 12; i++) this.word();
  }

  // sfc32: small, fast, and good enough for statistics
  word() {
    const word = (this.#a + this.#b + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + word) | 0;
    return word >>> 0;
  }

  float() {
    return this.word() / WORD;
  }

  below(limit) {
    return Math.floor(this.float() * limit);
  }

  pick(items) {
    return items[this.below(items.length)];
  }

  shuffle(items) {
    for (let i = items.length - 1; i > 0; i--) {
      const j = this.below(i + 1);
      [items[i], items[j]] = [items[j], items[i]];
    }
    return items;
  }
}
