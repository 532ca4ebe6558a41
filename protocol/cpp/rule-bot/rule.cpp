#include "rule.hpp"

int main() {
    RuleBot bot;
    return arena::run(bot);
}
