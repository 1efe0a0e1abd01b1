/* Random games of Connect 4: what a plain C program makes of the same work that damier does.

   It plays the very games that damier.playouts("connect4", games, seed) plays: the same random numbers
   (SplitMix64), drawn in the same order, for the same moves. So `games`, `plies` and `wins` must be equal
   to the last digit, and a difference in speed lies in the compilers and not in the work.

       gcc -O3 -march=native -o connect4 connect4.c
       ./connect4 1000000 1

   Cells are bits, seven to a column, from the bottom up; the seventh stays empty:

       5 12 19 26 33 40 47
       4 11 18 25 32 39 46
       3 10 17 24 31 38 45
       2  9 16 23 30 37 44
       1  8 15 22 29 36 43
       0  7 14 21 28 35 42
*/

#define _POSIX_C_SOURCE 199309L /* clock_gettime */

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ROWS = 6, COLS = 7, HEIGHT = ROWS + 1 };

static const uint64_t BOARD = 0x0000040810204081 * ((1 << ROWS) - 1); /* the bottom row, taken to all rows */

typedef struct {
    uint64_t discs[2];
    int player; /* who moves next */
} Position;

static uint64_t mix(uint64_t word) {
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9;
    word = (word ^ word >> 27) * 0x94D049BB133111EB;
    return word ^ word >> 31;
}

static uint64_t next_word(uint64_t *rng) {
    *rng += 0x9E3779B97F4A7C15;
    return mix(*rng);
}

/* A random number in 0..n-1. */
static int below(uint64_t *rng, int n) {
    return (int)((next_word(rng) >> 32) * (uint64_t)n >> 32);
}

/* The cells from which four in a row start in one direction. */
static uint64_t fours_along(uint64_t discs, int step) {
    uint64_t pairs = discs & discs >> step;
    return pairs & pairs >> 2 * step;
}

/* All directions at once is faster than leaving at the first that has a four. */
static bool has_four(uint64_t discs) {
    return (fours_along(discs, 1) | fours_along(discs, HEIGHT) | fours_along(discs, HEIGHT - 1)
            | fours_along(discs, HEIGHT + 1)) != 0;
}

/* A column that is not full, each as likely as the others. */
static int random_column(uint64_t filled, uint64_t *rng) {
    for (;;) {
        int col = below(rng, COLS);
        if (!(filled >> (col * HEIGHT + ROWS - 1) & 1))
            return col;
    }
}

static void play(Position *position, int col) {
    uint64_t filled = position->discs[0] | position->discs[1];
    uint64_t bottom = (uint64_t)1 << col * HEIGHT;
    uint64_t column = (uint64_t)((1 << ROWS) - 1) << col * HEIGHT;
    position->discs[position->player] |= (filled + bottom) & column;
    position->player ^= 1;
}

/* Play one game to its end; return the number of moves, and who won: 0, 1, or 2 for a draw. */
static int play_game(uint64_t *rng, int *winner) {
    Position position = {{0, 0}, 0};
    for (int plies = 0;; plies++) {
        uint64_t filled = position.discs[0] | position.discs[1];
        int last = position.player ^ 1;
        if (has_four(position.discs[last])) {
            *winner = last;
            return plies;
        }
        if (filled == BOARD) {
            *winner = 2;
            return plies;
        }
        play(&position, random_column(filled, rng));
    }
}

static double processor_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int main(int argc, char **argv) {
    if (argc != 3) {
        fprintf(stderr, "usage: %s GAMES SEED\n", argv[0]);
        return 2;
    }
    uint64_t games = strtoull(argv[1], NULL, 10);
    uint64_t rng = mix(mix(strtoull(argv[2], NULL, 10)));
    uint64_t plies = 0, results[3] = {0, 0, 0};
    double began = processor_seconds();
    for (uint64_t i = 0; i < games; i++) {
        int winner;
        plies += (uint64_t)play_game(&rng, &winner);
        results[winner]++;
    }
    double seconds = processor_seconds() - began;
    printf("{\"games\": %" PRIu64 ", \"plies\": %" PRIu64 ", \"wins\": [%" PRIu64 ", %" PRIu64 "], \"draws\": %" PRIu64
           ", \"seconds\": %.9f}\n",
           games, plies, results[0], results[1], results[2], seconds);
    return 0;
}
